// The page's budgets and parts, as lines for a terminal and as docs/generated/size.md.

/**
 * @typedef {{ name: string, gz: number, br: number, modules: readonly [string, number][], by: readonly string[] }} Part what loads as
 *   one: a chunk, or all chunks that an `import()` brings; `by`: who asks for it
 * @typedef {{ title: string, parts: readonly Part[] }} Table
 */

/** How many modules of a part are named. */
const namedModules = 3

/**
 * Four tables: the chunks that `/` names at first, those that it loads by itself soon after, every part that loads on
 * demand with what it adds to the first load, and what each other page names at first beyond that of `/`.
 * @param {Awaited<ReturnType<typeof import('./build-parts.mjs').buildParts>>} build
 * @param {{ first: ReadonlySet<string>, fetched: ReadonlySet<string> }} seen names of chunks
 * @returns {readonly Table[]}
 */
export function sizeTables({ chunks, imports, routes }, { first, fetched }) {
  const partOf = (name, names, by = []) => {
    const all = [...new Set(names)].flatMap((one) => chunks.get(one) ?? [])
    const modules = new Map()
    for (const [path, bytes] of all.flatMap((one) => one.modules)) modules.set(path, (modules.get(path) ?? 0) + bytes)
    return {
      name,
      gz: all.reduce((sum, { gz }) => sum + gz, 0),
      br: all.reduce((sum, { br }) => sum + br, 0),
      modules: [...modules].toSorted(([, a], [, b]) => b - a).slice(0, namedModules),
      by,
    }
  }
  const largestFirst = (parts) => parts.toSorted((a, b) => b.gz - a.gz)
  const asks = ({ by, what }) => `${by}: ${what}`
  const askersOf = (name) => imports.filter((one) => one.chunks.includes(name)).map(asks)
  const alone = (names) =>
    largestFirst([...names].filter((name) => chunks.has(name)).map((name) => partOf(name, [name], askersOf(name))))
  const onNeed = Map.groupBy(imports, (one) => one.chunks.filter((name) => !first.has(name)).join(' '))
  return [
    { title: 'First load of /', parts: alone(first) },
    { title: 'Loaded soon after the first load of /', parts: alone([...fetched].filter((name) => !first.has(name))) },
    {
      title: 'Parts that load on demand, without what the first load of / has',
      parts: largestFirst(
        [...onNeed]
          .filter(([names]) => names !== '')
          .map(([names, all]) =>
            partOf(
              names.split(' ').every((name) => fetched.has(name)) ? 'soon' : 'on need',
              names.split(' '),
              all.map(asks),
            ),
          ),
      ),
    },
    {
      title: 'First load of other pages, without what / loads',
      parts: largestFirst(
        routes.map((one) =>
          partOf(
            one.route,
            one.chunks.filter((name) => !first.has(name)),
          ),
        ),
      ).filter(({ gz }) => gz > 0),
    },
  ]
}

const inKb = (bytes) => (bytes / 1000).toFixed(1)
const withoutPackagesFolder = (path) => path.replace(/^.*node_modules\//, '')
const modulesOf = ({ modules }) => modules.map(([path, bytes]) => `${withoutPackagesFolder(path)} ${inKb(bytes)}`)

/** @param {Part} part */
export function partLine(part) {
  const { name, gz, br, by } = part
  const sizes = `${inKb(gz).padStart(7)} kB gz ${inKb(br).padStart(6)} br`
  return [
    `${sizes}  ${name}  ${modulesOf(part).join(', ')}`,
    ...(by.length === 0 ? [] : [`${' '.repeat(25)}← ${by.slice(0, 4).join(' · ')}`]),
  ].join('\n')
}

/**
 * The page docs/generated/size.md.
 * @param {readonly { what: string, bytes: number, limitKb: number }[]} budgets
 * @param {readonly Table[]} tables
 */
export function sizePage(budgets, tables) {
  const row = (cells) => `| ${cells.join(' | ')} |`
  return [
    '# Bundle size',
    '',
    'Sizes of the JavaScript of the page in kB (1,000 bytes). `npm run size -- --write` writes this page; `npm run size` fails if a limit is exceeded.',
    '',
    row(['what', 'now', 'limit']),
    row(['---', '--:', '--:']),
    ...budgets.map(({ what, bytes, limitKb }) => row([what, inKb(bytes), limitKb])),
    '',
    'Each part: kB gzipped, kB in Brotli, its largest modules (minified, uncompressed), and after the arrow the modules that import it.',
    ...tables.flatMap(({ title, parts }) => ['', `## ${title}`, '', ...parts.map(listLine)]),
    '',
  ].join('\n')
}

/** Chunk names are hashes, and differ in each build. */
const labelOf = ({ name }) => (name.endsWith('.js') ? '' : ` ${name}:`)
const codes = (texts) => texts.map((text) => `\`${text}\``).join(', ')

function listLine(part) {
  const asked = part.by.length === 0 ? '' : ` ← ${codes(part.by.slice(0, 4))}${part.by.length > 4 ? ' …' : ''}`
  return `-${labelOf(part)} ${inKb(part.gz)} · ${inKb(part.br)} · ${codes(modulesOf(part))}${asked}`
}
