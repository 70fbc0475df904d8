// npm run bench -- beside <another checkout> <bench> [rounds]: runs a bench of this tree and of another one in turns,
// so that other work on the machine affects both alike; prints the medians of each figure and their ratio (below 1:
// this tree is faster).
//   npm run bench -- beside ../nod-before calls 3
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { figuresIn, median } from './beside/figures.mjs'
import { root } from '../scripts/setup/paths.mjs'
import { orExit } from '../scripts/setup/run.mjs'

const [other, bench, rounds = '3', ...rest] = process.argv.slice(2)
if (!other || !bench || !(Number(rounds) > 0)) {
  orExit(2, 'Say npm run bench -- beside <another checkout> <bench> [rounds], as in ../nod-before calls 3.')
}

/** The bench's command there; a checkout from before `npm run bench` has a script for each. */
async function commandIn(folder) {
  const { scripts } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  return 'bench' in scripts ? ['bench', '--', bench, ...rest] : [`bench:${bench}`, '--', ...rest]
}

async function outputOf(folder) {
  const command = await commandIn(folder)
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', ...command], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part) => (text += part))
    child.on('error', reject)
    // A bench that exceeds its own bound exits with 1, and its figures still count.
    child.on('close', (code) =>
      text === '' ? reject(new Error(`${bench} in ${folder} ended with ${code}`)) : resolve(text),
    )
  })
}

const trees = { here: root, there: path.resolve(other) }
let example = ''
const figures = { here: new Map(), there: new Map() }
for (let round = 0; round < Number(rounds); round++) {
  // The order alternates, because a machine may be warm or cold.
  const order = round % 2 === 0 ? ['there', 'here'] : ['here', 'there']
  for (const which of order) {
    const output = await outputOf(trees[which])
    if (which === 'here') example = output
    for (const [name, value] of figuresIn(output)) {
      figures[which].set(name, [...(figures[which].get(name) ?? []), value])
    }
  }
}
const shared = [...figures.here.keys()].filter((name) => figures.there.has(name))
if (shared.length === 0) orExit(1, `${bench} prints no figure that both trees have.`)
console.log(`The last run here:\n${example}`)
const width = Math.max(...shared.map((name) => name.length))
console.log(`${'figure'.padEnd(width)}  ${'there'.padStart(10)}  ${'here'.padStart(10)}  here/there`)
for (const name of shared) {
  const [there, here] = [median(figures.there.get(name)), median(figures.here.get(name))]
  const ratio = there === 0 ? '' : (here / there).toFixed(2)
  console.log(
    `${name.padEnd(width)}  ${String(there).padStart(10)}  ${String(here).padStart(10)}  ${ratio.padStart(10)}`,
  )
}
