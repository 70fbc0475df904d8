// `@/` for dependency-cruiser, because TypeScript 7 has no API for reading tsconfig.json.
const path = require('node:path')
module.exports = { resolve: { alias: { '@': path.resolve(__dirname, '../..') } } }
