import '@/lib/i18n/server-messages'
import { createRandom } from '@/lib/protocols/grammar/grammar'
import { strategies } from '@/lib/protocols/registry'
import { randomTools } from '@/lib/protocols/testing/random-tools'
import { createCompiler } from './xgrammar/accepts'
import { checkTools, nothingChecked } from './xgrammar/check-tools'

/*
 * bench -- xgrammar [--sets N] [--seed N]: XGrammar, which vLLM and SGLang use to constrain models, compiles the
 * grammars of all strategies for N random sets of tools; it must accept what they write and refuse damaged calls.
 * Nothing is downloaded: it is a development package. Exits with 1 if something is wrong, with 2 if the package is
 * missing.
 */

function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(name)
  const value = at < 0 ? fallback : Number(process.argv[at + 1])
  if (Number.isInteger(value) && value >= 0) return value
  process.stderr.write(`xgrammar: ${name} needs a whole number\n`)
  process.exit(2)
}

const compiler = await createCompiler().catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error)
  process.stderr.write(
    `xgrammar needs the development package @mlc-ai/web-xgrammar (npm ci installs it), which did not load: ${why}\n`,
  )
  return process.exit(2)
})

const sets = option('--sets', 20)
const first = option('--seed', 1)
let wrong = 0
for (const def of strategies) {
  const checked = nothingChecked()
  for (let seed = first; seed < first + sets; seed++) {
    const random = createRandom(seed)
    await checkTools(compiler, def, randomTools(random), random, { walks: 40, damages: 120 }, checked)
  }
  if (checked.walks === 0) continue
  const { walks, damages, harmless } = checked
  process.stdout.write(
    `${def.id.padEnd(12)} ${walks} replies and ${damages} damages, ${harmless} of them taken and harmless, ${checked.wrong.length} wrong\n`,
  )
  for (const one of checked.wrong.slice(0, 5)) process.stdout.write(`  ${one}\n`)
  wrong += checked.wrong.length
}
process.exitCode = wrong > 0 ? 1 : 0
