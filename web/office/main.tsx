import { start } from '../portal/start.js'
import { makeRouter } from './router.js'

await start(makeRouter)
