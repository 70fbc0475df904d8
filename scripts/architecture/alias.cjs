// `@/` as dependency-cruiser resolves it: TypeScript 7 has no API by which it could read tsconfig.json.
const path = require('node:path')
module.exports = { resolve: { alias: { '@': path.resolve(__dirname, '../..') } } }
