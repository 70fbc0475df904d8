// npm run size -- parts: the modules of the chat's first load with their minified bytes, largest first, in a few
// seconds.
import { pageModules } from './page-modules.mjs'

const { first, gzipped } = await pageModules()
for (const [path, bytes] of first) console.log(`${String(bytes).padStart(7)}  ${path}`)
console.log(`${(gzipped / 1000).toFixed(1)} kB gz in all, without React and Next`)
