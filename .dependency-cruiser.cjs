// Which folder may import which, types included. Each layer knows only the layers below it (ARCHITECTURE.md).
const tests = '\\.(test|contract|property|spec)\\.tsx?$|/(testing|fixtures)/|/cases\\.ts$'
const layers = [
  ['lib/base', 'lib/i18n'],
  ['lib/protocols', 'lib/vfs'],
  ['lib/sandbox', 'lib/shared'],
  ['lib/server', 'lib/client'],
  ['components'],
  ['app'],
]
/** Folders that may import another folder of the same layer. All others may not. */
const beside = [
  ['lib/i18n', 'lib/base'],
  ['lib/shared', 'lib/sandbox'],
]
const formats = 'json-strict|json-action|native|tool-action|vcp|xml-tag'

const product = (path) => ({ path, pathNot: tests })
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const anyOf = (folders) => `^(${folders.join('|')})/`

const layerRules = layers.flatMap((layer, height) =>
  layer.map((folder) => {
    const used = new Set(beside.filter(([user]) => user === folder).map(([, other]) => other))
    const strangers = layers
      .slice(height)
      .flat()
      .filter((other) => other !== folder && !used.has(other))
    return rule(`layers: ${folder}`, 'a layer imports only what is below it', product(`^${folder}/`), {
      path: strangers.length > 0 ? anyOf(strangers) : '^$',
    })
  }),
)

module.exports = {
  forbidden: [
    ...layerRules,
    rule('no-cycles', 'no files that need each other', product('^(lib|components|app)/'), { circular: true }),
    rule('no-tests', 'product code imports no tests', product('^(lib|components|app)/'), { path: tests }),
    rule(
      'unresolved',
      'every import exists',
      {},
      { couldNotResolve: true, pathNot: '^(virtual:|@/lib/i18n/generated)' },
    ),
    rule('formats', 'a call format knows no other one', product(`^lib/protocols/(${formats})/`), {
      path: `^lib/protocols/(${formats})/`,
      pathNot: '^lib/protocols/$1/',
    }),
    rule('registry', 'a call format does not know the registry', product(`^lib/protocols/(${formats})/`), {
      path: '^lib/protocols/registry',
    }),
    rule(
      'protocols-face',
      'readers, repairs and single formats are internal: use the registry or a reader beside it',
      product('^(?!lib/protocols/)'),
      {
        path: `^lib/protocols/(${formats}|json-repair|neutralise|other-dialects|scan|text)/`,
      },
    ),
    rule('tools', 'a tool knows no other tool', product('^lib/shared/tools/([^/]+)/'), {
      path: '^lib/shared/tools/[^/]+/',
      pathNot: '^lib/shared/tools/$1/',
    }),
    rule('tool-face', 'a tool’s folder is reached by the registry', product('^(?!lib/shared/tools/|scripts/)'), {
      path: '^lib/shared/tools/(?!ask-user|edit-file|search-files/limits|show)[^/]+/(?!index)',
    }),
    rule('providers', 'a model provider knows no other one', product('^lib/server/models/([^/]+)/'), {
      path: '^lib/server/models/[^/]+/',
      pathNot: '^lib/server/models/$1/',
    }),
    rule(
      'files-face',
      'only the wiring chooses where files are kept',
      product('^(?!lib/vfs/indexeddb|lib/client/wiring)'),
      {
        path: '^lib/vfs/indexeddb/',
      },
    ),
    rule(
      'sandbox-face',
      'what runs in the sealed frame is reached through its files in lib/sandbox',
      product('^(?!lib/sandbox/)'),
      {
        path: '^lib/sandbox/[^/]+/',
      },
    ),
    rule('store-face', 'services take stores by their contracts', product('^lib/server/(?!store/|wiring/)'), {
      path: '^lib/server/store/(?!ports/)',
    }),
    rule('databases', 'queries know no single database', product('^lib/server/store/(?!sqlite|postgres|[^/]+$)'), {
      path: '^lib/server/store/(sqlite|postgres)/',
    }),
    rule('wiring', 'implementations are given, not fetched', product('^lib/(?!server/wiring/|client/wiring/)'), {
      path: '^lib/(server|client)/wiring/',
    }),
    rule('browser-only', 'pages never load the server', product('^components/'), {
      path: '^lib/server/(?!wiring/|accounts/)',
      dependencyTypesNot: ['type-only'],
    }),
    rule('routes', 'routes use services, not stores', product('^app/'), {
      path: '^lib/server/(store/(?!ports/store-error)|runs/|sharing/|models/)',
    }),
    rule('lib-without-react', 'lib knows neither React nor Next', product('^lib/(?!client/wiring/|server/wiring/)'), {
      path: 'node_modules/(react|react-dom|next|@assistant-ui)(/|$)',
      dependencyTypesNot: ['type-only'],
    }),
    rule(
      'assistant-ui',
      'one folder adapts assistant-ui',
      product('^components/(?!assistant-ui/|thread/|composer/|chat/|tool-call/)'),
      {
        path: 'node_modules/@assistant-ui/',
      },
    ),
    rule(
      'pure',
      'pure code is given the outside world',
      product('^lib/(base|i18n|protocols|vfs|sandbox|shared|client)/'),
      {
        dependencyTypes: ['core'],
        // Given to sandboxed code as a package, so it is not Node's module.
        pathNot: '^buffer$',
      },
    ),
    rule('browser-packages', 'packages of the server stay out of the browser', product('^components/'), {
      path: 'node_modules/(zod|ai|@ai-sdk|kysely|pg)(/|$)',
      dependencyTypesNot: ['type-only'],
    }),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(lib/i18n/generated|\\.next|public)' },
    webpackConfig: { fileName: 'scripts/architecture/alias.cjs' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
