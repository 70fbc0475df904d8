const MAX_NAME = 64
/** A shorter part of a name says nothing. */
const MIN_PART = 4

/** A tool as far as it may be suggested. */
interface Candidate {
  readonly name: string
  /** It destroys, reaches other people or runs code: suggested only where the name is nearly the same. */
  readonly risky: boolean
}

/** Up to three tools whose names look most like `name`, best first. Names are compared by their first 64 characters. */
export function nearestNames(name: string, tools: readonly Candidate[]): readonly string[] {
  const wanted = name.slice(0, MAX_NAME)
  if (plain(wanted) === '') return []
  return tools
    .map((tool) => ({ tool, distance: distanceOf(wanted, tool) }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, 3)
    .map(({ tool }) => tool.name)
}

/**
 * How far a tool is from the name that was written, Infinity where it is not worth a word. One letter in three may differ;
 * more where both speak of the same thing (`get_file`, `read_file`), and where one name is a part of the other. A wrong
 * guess of a risky tool could do harm: there one letter may differ, whatever else the names have in common.
 */
function distanceOf(wanted: string, { name, risky }: Candidate): number {
  const [a, b] = [plain(wanted), plain(name.slice(0, MAX_NAME))]
  const letters = Math.max(a.length, b.length)
  const distance = editDistance(a, b)
  if (risky) return distance <= 1 ? distance : Infinity
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length >= MIN_PART && long.includes(short)) return (long.length - short.length) / 4
  if (lastWord(wanted) === lastWord(name)) return distance <= letters * 0.6 ? distance / 2 : Infinity
  return distance <= Math.max(1, Math.floor(letters / 3)) ? distance : Infinity
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_\-.:/\s]/g, '')

/** What a name speaks of: `file` of `read_file` and `readFile`; '' for a name of one word. */
const lastWord = (name: string): string =>
  /(?:[_\-.:/\s]|(?<=[a-z])(?=[A-Z]))([A-Za-z]{3,})$/.exec(name)?.[1]?.toLowerCase() ?? name

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(swap, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
