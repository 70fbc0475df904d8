// Who may import whom. One table for the whole tree; ARCHITECTURE.md says it in words.

/** Contracts: types (and a few pure lines) that any domain may know. */
const contracts = new Set([
  'lib/strategies/segment',
  'lib/strategies/tool-context-def',
  'lib/strategies/strategy-facts',
  'lib/tools/tool',
  'lib/tools/tool-runtime',
  'lib/sandbox/sandbox',
  'lib/vfs/vfs',
  'lib/vfs/path',
  'lib/vfs/limits',
  'lib/vfs/vfs-history',
  'lib/store/store',
  'lib/models/model',
  'lib/conversation/conversation',
  'lib/conversation/run-event',
  'lib/conversation/api-types',
  'lib/calls/call-state',
  'lib/client/state',
  'lib/client/actions',
])

/** Beyond base, its own folder and the contracts, a domain may use these whole domains' pure functions. */
const domains = {
  base: [],
  // What people read: everybody's, as base is.
  words: [],
  http: [],
  strategies: [],
  vfs: [],
  sandbox: [],
  tools: ['vfs'],
  workspace: ['vfs', 'tools', 'chat'],
  models: [],
  store: ['chat'],
  'tool-calls': ['strategies', 'chat'],
  chat: ['strategies', 'tool-calls', 'models'],
  client: ['strategies', 'chat', 'tool-calls', 'tools'],
}

/** Folders whose children are siblings that must not know each other. */
const families = ['lib/strategies', 'lib/tools', 'lib/models', 'lib/vfs', 'lib/store']
/** Children of a family that are shared by its members. */
const shared = new Set([
  'lib/vfs/log',
  'lib/strategies/scan',
  'lib/strategies/json-repair',
  'lib/strategies/arguments',
  'lib/strategies/neutralise',
  'lib/strategies/foreign',
  // Ollama and many others speak this one's language.
  'lib/models/openai-compatible',
])

/** Implementations that only the wiring chooses: nobody else knows that they are there. */
const engines = ['lib/vfs/indexeddb']

const areaShared = new Set(['ui', 'chat', 'markdown', 'schema-form'])

const isTest = (file) => /\.(test|contract|spec)\.tsx?$|\/cases\.ts$/.test(file) || /\/(testing|fixtures)\//.test(file)
const moduleName = (file) => file.replace(/\.(tsx?|mjs)$/, '').replace(/\/index$/, '')
const isUnder = (name, folder) => name === folder || name.startsWith(`${folder}/`)

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

function libReason(from, to, typeOnly) {
  const [, domain] = from.split('/')
  if (isUnder(to, 'app') || isUnder(to, 'components')) return 'lib never imports app or components'
  if (domain === 'wiring') return null
  if (!to.startsWith('lib/')) return null
  const [, target] = to.split('/')
  if (target === 'wiring') return 'only app, components and wiring itself may import wiring'
  if (target === 'base' || target === 'words' || target === domain) return null
  if (domain !== 'base' && contracts.has(to)) return null
  const allowed = domains[domain]
  if (!allowed) return `the folder lib/${domain} has no row in scripts/architecture/zones.mjs`
  if (allowed.includes(target) || typeOnly) return null
  return `lib/${domain} may import contracts and ${['base', ...allowed].join(', ')}, not lib/${target}`
}

function componentReason(from, to) {
  const [, area] = from.split('/')
  if (isUnder(to, 'app')) return 'nobody imports app'
  if (to === 'lib/wiring/server') return 'components never import the server’s wiring'
  if (area === 'ui' && !isUnder(to, 'components/ui') && !isUnder(to, 'lib/base')) {
    return 'components/ui knows nothing of the chat'
  }
  if (to.startsWith('components/')) {
    const [, target] = to.split('/')
    const isEntry = to.split('/').length === 3
    if (target !== area && !areaShared.has(target) && !isEntry) return 'a sibling area’s insides are its own'
  }
  return null
}

/** Why `from` may not import `to`, or null. Names are module paths from the root without extension. */
export function forbidden(fromFile, toFile, { typeOnly = false } = {}) {
  const from = moduleName(fromFile)
  const to = moduleName(toFile)
  if (isTest(fromFile)) return isUnder(to, 'app') && !isUnder(from, 'app') ? 'nobody imports app' : null
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
  if (from.startsWith('lib/')) return libReason(from, to, typeOnly)
  if (from.startsWith('components/')) return componentReason(from, to)
  if (isUnder(to, 'app') && !isUnder(from, 'app')) return 'nobody imports app'
  return null
}

/** Packages that a zone must not pull in. */
export function forbiddenPackage(fromFile, name) {
  if (isTest(fromFile)) return null
  const from = moduleName(fromFile)
  const inLib = from.startsWith('lib/')
  const isReact = /^(react|react-dom|next|@assistant-ui)(\/|$)/.test(name)
  if (inLib && isReact && !from.startsWith('lib/wiring/')) return 'lib knows neither React nor Next'
  if (name.startsWith('node:') && inLib && !/^lib\/(wiring|store|http)\//.test(from) && !/[.-]server$/.test(from)) {
    return 'pure lib takes the world as arguments; Node’s modules belong to lib/wiring, lib/store, lib/http, *.server.ts'
  }
  if (from.startsWith('components/') && /^(zod|ai|@ai-sdk|kysely|pg|node:)/.test(name)) {
    return 'this package must stay out of the browser'
  }
  return null
}
