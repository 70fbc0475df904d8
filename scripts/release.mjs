// Makes a folder that runs anywhere of a finished build; `npm run build` does so last. An argument names another project's folder.
import { assembleRelease } from './release/assemble.mjs'
import { inRoot } from './setup/paths.mjs'

await assembleRelease(process.argv[2] ?? inRoot(), { cache: inRoot('.cache/compressed') })
