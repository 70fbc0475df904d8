/**
 * @typedef {'unit' | 'e2e'} Half
 * @typedef {{ halves: Half[], files: string[], shard: string | null, rest: string[] }} Asked `rest` is the runner's own
 */

const usage =
  'Say `npm test`, `npm test -- unit` or `npm test -- e2e`, the latter two with FILE… and `--shard 1/2` if you like.'

/** `1/4` is the first of four parts. */
function readShard(text) {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text ?? '') ?? []
  return of !== undefined && Number(part) >= 1 && Number(part) <= Number(of) ? text : null
}

/**
 * Parses the arguments of `npm test -- …`, or says in a sentence why they are invalid. A file is named by any part of
 * its path; from the first option other than `--shard` on, everything goes to the runner unchanged (`-t words`, `-g
 * words`, `--headed`).
 * @param {readonly string[]} words
 * @param {Readonly<Record<Half, readonly string[]>>} tests the paths of all test files
 * @returns {{ ok: true, asked: Asked } | { ok: false, why: string }}
 */
export function readArguments(words, tests) {
  const [half, ...others] = words
  if (half === undefined) return { ok: true, asked: { halves: ['unit', 'e2e'], files: [], shard: null, rest: [] } }
  if (half !== 'unit' && half !== 'e2e') return { ok: false, why: `There is no half “${half}”. ${usage}` }
  const files = []
  let shard = null
  let at = 0
  for (; at < others.length; at += 1) {
    const word = others[at].replace(/^--shard=/, '--shard ')
    if (word.startsWith('--shard')) {
      const text = word === '--shard' ? others[(at += 1)] : word.slice('--shard '.length)
      shard = readShard(text)
      if (shard === null)
        return { ok: false, why: `A shard is a part of parts, as in \`--shard 1/4\`, not “${text ?? ''}”.` }
    } else if (word.startsWith('-')) break
    else files.push(word)
  }
  for (const file of files) {
    const name = file.replace(/^\.\//, '')
    if (tests[half].some((path) => path.includes(name))) continue
    const other = half === 'unit' ? 'e2e' : 'unit'
    const elsewhere = tests[other].some((path) => path.includes(name))
    return {
      ok: false,
      why: elsewhere
        ? `“${file}” is a test of the other half: npm test -- ${other} ${file}`
        : `No test file of ${half} has “${file}” in its path.`,
    }
  }
  return {
    ok: true,
    asked: { halves: [half], files: files.map((file) => file.replace(/^\.\//, '')), shard, rest: others.slice(at) },
  }
}
