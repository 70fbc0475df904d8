// Makes a portable folder from a finished build; the last step of `npm run build`. An argument names another project's
// folder.
import { assembleRelease } from './release/assemble.mjs'
import { inRoot } from './setup/paths.mjs'

await assembleRelease(process.argv[2] ?? inRoot(), { cache: inRoot('.cache/compressed') })
