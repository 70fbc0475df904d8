// ARCHITECTURE.md's table of folders, written from `floors.mjs`, which the check enforces.
import { floors } from './floors.mjs'

const start = '<!-- floors: written by `node scripts/architecture.mjs --write` -->'
const end = '<!-- /floors -->'

/** The floors that this one may use, without those that a floor it uses stands on anyway. */
function standsOn({ uses }) {
  const below = new Set()
  const collect = (folder) => {
    for (const lower of floors.find((floor) => floor.folder === folder).uses) {
      if (!below.has(lower)) {
        below.add(lower)
        collect(lower)
      }
    }
  }
  for (const folder of uses) collect(folder)
  return uses.filter((folder) => !below.has(folder))
}

const short = (folder) => folder.replace(/^lib\//, '').replace(/^components\//, 'c/')
const entriesInWords = ({ entries }) => (entries.includes('*') ? 'all' : String(entries.length))

/** From top to bottom. */
export function floorsTable() {
  const rows = floors.toReversed().map((floor) => {
    const on = standsOn(floor).map(short).join(', ')
    return `| \`${floor.folder}\` | ${floor.idea} | ${on || 'none'} | ${entriesInWords(floor)} |`
  })
  return ['| folder | purpose | imports | entry files |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** The page with the table as it must be now. Throws where the page has no place for it. */
export function withFloorsTable(page) {
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error('ARCHITECTURE.md has no place for the table of floors')
  return `${page.slice(0, from + start.length)}\n\n${floorsTable()}\n\n${page.slice(to)}`
}
