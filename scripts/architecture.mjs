// Checks imports against architecture/floors.mjs: which folder may import which, and no circles of folders or files.
// `--write` writes the table into ARCHITECTURE.md.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { fileCircles, twoWayFolders } from './architecture/circles.mjs'
import { floors } from './architecture/floors.mjs'
import { withFloorsTable } from './architecture/floors-table.mjs'
import { forbidden, forbiddenPackage, idleEntries, isTest } from './architecture/zones.mjs'
import { inRoot } from './setup/paths.mjs'

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

async function* sources(folder) {
  for (const entry of await readdir(inRoot(folder), { withFileTypes: true }).catch(() => [])) {
    const name = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) yield* sources(name)
    else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts')) yield name
  }
}

const files = new Map()
for (const folder of ['app', 'components', 'lib', 'e2e']) {
  for await (const file of sources(folder)) files.set(file, await readFile(inRoot(file), 'utf8'))
}

function resolve(from, specifier) {
  const base = specifier.startsWith('@/')
    ? specifier.slice(2)
    : specifier.startsWith('.')
      ? path.posix.join(path.posix.dirname(from), specifier)
      : null
  if (base === null) return { package: specifier }
  const plain = base.replace(/\.tsx?$/, '')
  const found = [base, `${plain}.ts`, `${plain}.tsx`, `${plain}/index.ts`, `${plain}/index.tsx`].find((f) =>
    files.has(f),
  )
  return found ? { file: found } : {}
}

const problems = []
const edges = []
for (const [file, text] of files) {
  for (const match of text.matchAll(importPattern)) {
    const specifier = match[2] ?? match[3]
    const typeOnly = Boolean(match[1])
    const target = resolve(file, specifier)
    if (target.package) {
      const reason = typeOnly ? null : forbiddenPackage(file, target.package)
      if (reason) problems.push(`${file} imports ${target.package}: ${reason}`)
    }
    if (!target.file) continue
    const reason = forbidden(file, target.file)
    if (reason) problems.push(`${file} imports ${target.file}: ${reason}`)
    edges.push([file, target.file])
  }
}

const inProduct = edges.filter(([from, to]) => !isTest(from) && !isTest(to))
const circles = fileCircles(inProduct)
for (const circle of circles) problems.push(`these files need each other: ${circle.join(', ')}`)
const pairs = twoWayFolders(inProduct)
for (const { folders, there, back } of pairs) {
  const [from, to] = (there.length < back.length ? there : back)[0]
  problems.push(`${folders.join(' and ')} import each other, as ${from} imports ${to}`)
}
problems.push(...idleEntries(edges))

const page = inRoot('ARCHITECTURE.md')
const written = await readFile(page, 'utf8')
const asItIs = await format(withFloorsTable(written), { ...(await resolveConfig(page)), parser: 'markdown' })
if (written !== asItIs) {
  if (process.argv.includes('--write')) await writeFile(page, asItIs)
  else problems.push('ARCHITECTURE.md shows other floors than there are: node scripts/architecture.mjs --write')
}

console.log(
  `${floors.length} floors, ${inProduct.length} imports in ${files.size} files: ${pairs.length} two-way pairs of folders, ${circles.length} circles of files`,
)
for (const problem of problems) console.error(problem)
if (problems.length) console.error(`${problems.length} problems in ${files.size} files`)
process.exitCode = problems.length ? 1 : 0
