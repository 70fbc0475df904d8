// Checks imports: the rules of .dependency-cruiser.cjs, and that no two folders import each other.
import { createRequire } from 'node:module'
import { cruise } from 'dependency-cruiser'
import extractWebpackConfig from 'dependency-cruiser/config-utl/extract-webpack-resolve-config'
import { twoWayFolders } from './architecture/two-way-folders.mjs'
import { inRoot } from './setup/paths.mjs'

const { forbidden, options } = createRequire(import.meta.url)(inRoot('.dependency-cruiser.cjs'))
process.chdir(inRoot('.'))
const { output } = await cruise(
  ['app', 'components', 'lib'],
  { ...options, ruleSet: { forbidden }, validate: true },
  await extractWebpackConfig(options.webpackConfig.fileName),
)
if (typeof output === 'string') throw new Error(output)
const { modules, summary } = output

const problems = summary.violations.map(({ rule, from, to }) => {
  const { comment } = forbidden.find(({ name }) => name === rule.name)
  return `${from} imports ${to}: ${comment} (${rule.name})`
})
const testFile = /\.(test|contract|property|spec)\.tsx?$|\/(testing|fixtures)\//
const edges = modules
  .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => [source, resolved]))
  .filter((edge) => edge.every((file) => /^(app|components|lib)\//.test(file) && !testFile.test(file)))
for (const { folders, there, back } of twoWayFolders(edges)) {
  const [from, to] = (there.length < back.length ? there : back)[0]
  problems.push(`${folders.join(' and ')} import each other, as ${from} imports ${to}`)
}

console.log(`${edges.length} imports in ${modules.length} files, ${forbidden.length} rules`)
for (const problem of problems) console.error(problem)
if (problems.length > 0) console.error(`${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
