// npm run build: what `npm start` does before it serves.
import { ensureBuilt } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'

await ensureInstalled()
await ensureBuilt()
