import { makeRouter } from './router.js'
import { start } from './start.js'

await start(makeRouter)
