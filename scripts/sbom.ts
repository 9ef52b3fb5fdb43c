import { writeFileSync } from 'node:fs'
import { billOfMaterials } from './bill-of-materials.js'

/** `npm run sbom`: writes sbom.json, which is not checked in. */
const bill = billOfMaterials()
writeFileSync('sbom.json', `${JSON.stringify(bill, null, 2)}\n`)
console.log(`Wrote sbom.json: ${bill.components.length} packages.`)
