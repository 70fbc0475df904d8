// Who may import whom: the floors of `floors.mjs`, and what no table of folders says. A type is an import like any other: what
// needs another's type knows it.
import { floors } from './floors.mjs'

/** Folders whose children are siblings that must not know each other. */
const families = ['lib/strategies', 'lib/tools', 'lib/models', 'lib/vfs', 'lib/store']
/** Children of a family that are shared by its members. */
const shared = new Set([
  'lib/vfs/log',
  'lib/strategies/text',
  'lib/strategies/scan',
  'lib/strategies/json-repair',
  'lib/strategies/arguments',
  'lib/strategies/neutralise',
  'lib/strategies/other-dialects',
  'lib/strategies/framed-calls',
  'lib/strategies/grammar',
  // Ollama and many others speak this one's language.
  'lib/models/openai-compatible',
  // What servers take so that replies are exact.
  'lib/models/exact',
])

/** Implementations that only the wiring chooses: nobody else knows that they are there. */
const engines = ['lib/vfs/indexeddb']

export const isTest = (file) =>
  /\.(test|contract|spec)\.tsx?$|\/cases\.ts$/.test(file) || /\/(testing|fixtures)\//.test(file)
const moduleName = (file) => file.replace(/\.(tsx?|mjs)$/, '').replace(/\/index$/, '')
const isUnder = (name, folder) => name === folder || name.startsWith(`${folder}/`)
const floorOf = (name) => floors.find(({ folder }) => isUnder(name, folder))

function memberOf(file) {
  const name = file.replace(/\.(tsx?|mjs)$/, '')
  for (const family of families) {
    if (!name.startsWith(`${family}/`)) continue
    const child = name.slice(family.length + 1).split('/')
    if (child.length < 2) return null
    const member = `${family}/${child[0]}`
    return shared.has(member) ? null : { family, member }
  }
  return null
}

/** The entry of its floor by which others reach this module; undefined: it is the floor's own. */
const entryFor = (floor, name) => floor.entries.find((entry) => entry === '*' || `${floor.folder}/${entry}` === name)

function floorReason(from, to) {
  const here = floorOf(from)
  const there = floorOf(to)
  if (/^(lib|components)\//.test(from) && !here) return `${from} stands on no floor of scripts/architecture/floors.mjs`
  // What is not of the house, as a journey or a bench, looks wherever it must.
  if (!there || here === there || !/^(lib|components|app)\//.test(from)) return null
  if (here && !here.uses.includes(there.folder)) return `${here.folder} may not use ${there.folder}`
  // The wiring puts the house together.
  if (isUnder(from, 'lib/wiring')) return null
  if (here && /[./]server(?:-parts)?$/.test(to)) return 'the server’s wiring is for routes'
  return entryFor(there, to) ? null : `it is no entry of ${there.folder}`
}

/** Why `from` may not import `to`, or null. Names are module paths from the root. */
export function forbidden(fromFile, toFile) {
  const from = moduleName(fromFile)
  const to = moduleName(toFile)
  if (isUnder(to, 'app') && !isUnder(from, 'app')) return 'nobody imports app'
  if (isTest(fromFile)) return null
  if (isTest(toFile)) return 'product code never imports tests'
  const here = memberOf(fromFile)
  const there = memberOf(toFile)
  if (here && there && here.family === there.family && here.member !== there.member) {
    return 'siblings never import siblings'
  }
  if (here && to === `${here.family}/registry`) return 'an implementation never imports its registry'
  const engine = engines.find((folder) => isUnder(to, folder) && !isUnder(from, folder))
  if (engine && /^(lib|components|app)\//.test(from) && !isUnder(from, 'lib/wiring')) {
    return `only lib/wiring chooses ${engine}`
  }
  return floorReason(from, to)
}

/** Packages that a zone must not pull in. */
export function forbiddenPackage(fromFile, name) {
  if (isTest(fromFile)) return null
  const from = moduleName(fromFile)
  const inLib = from.startsWith('lib/')
  const isReact = /^(react|react-dom|next|@assistant-ui)(\/|$)/.test(name)
  if (inLib && isReact && !from.startsWith('lib/wiring/')) return 'lib knows neither React nor Next'
  if (
    name.startsWith('node:') &&
    inLib &&
    !/^lib\/(accounts|wiring|store|http)\//.test(from) &&
    !/[.-]server$/.test(from)
  ) {
    return 'pure lib takes the world as arguments; Node’s modules belong to lib/wiring, lib/store, lib/http, *.server.ts'
  }
  if (from.startsWith('components/') && /^(zod|ai|@ai-sdk|kysely|pg|node:)/.test(name)) {
    return 'this package must stay out of the browser'
  }
  return null
}

/** What the table says and the tree does not need: `used` is every import between files, as `[from, to]`. */
export function idleEntries(used) {
  const reached = new Set(
    used.filter(([from, to]) => !isTest(from) && floorOf(from) !== floorOf(to)).map(([, to]) => moduleName(to)),
  )
  return floors.flatMap(({ folder, entries }) =>
    entries
      .filter((entry) => entry !== '*' && !reached.has(`${folder}/${entry}`))
      .map((entry) => `${folder}/${entry} is named as an entry, and nobody comes in by it`),
  )
}
