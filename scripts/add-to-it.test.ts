import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copySources, recipeIn, takeStep } from './add-to-it/recipe'

/*
 * What the README says under "Add to it", and CONTRIBUTING under "Add a provider", is done, from the blocks alone, in a copy of
 * the sources: tool, strategy and provider compile with everything, tests included, and everybody's tests then hold for them.
 */

const root = path.resolve(import.meta.dirname, '..')
const steps = recipeIn(readFileSync(path.join(root, 'README.md'), 'utf8'), 'Add to it')
const ofProvider = recipeIn(readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8'), 'Add a provider')
const copy = mkdtempSync(path.join(tmpdir(), 'nod-add-to-it-'))
const TOOL = 'count_words'
const STRATEGY = 'Double_Bracket'
const folder = path.join(copy, 'lib/strategies/double-bracket')

function run(name: string, ...args: readonly string[]) {
  // A golden prompt that is new is written, as on a developer's machine; the Node that runs this runs those.
  const { CI: _ci, VITEST: _vitest, ...rest } = process.env
  const env = {
    ...rest,
    NO_COLOR: '1',
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${rest['PATH'] ?? ''}`,
  }
  const bin = path.join(root, 'node_modules/.bin', name)
  const done = spawnSync(bin, args, { cwd: copy, encoding: 'utf8', env, timeout: 240_000 })
  return { code: done.status, out: `${done.stdout}${done.stderr}` }
}

/** The tests of these files whose names hold one of `words`: how many passed and failed. */
function test(files: readonly string[], words: string) {
  const report = path.join(copy, 'report.json')
  const options = ['--project', 'unit', '-t', words, '--reporter=json', `--outputFile.json=${report}`]
  run('vitest', 'run', ...options, ...files)
  const {
    numPassedTests: passed,
    numFailedTests: failed,
    testResults,
  } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
    testResults: { name: string; message: string; assertionResults: { status: string; fullName: string }[] }[]
  }
  const red = testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message === '' ? [] : [`${name}: ${message}`]),
    ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  ])
  return { passed, failed, red }
}

beforeAll(() => {
  copySources(root, copy)
  for (const step of [...steps, ...ofProvider]) takeStep(copy, step)
}, 120_000)
afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('the README’s “Add to it”', () => {
  it('touches a folder each, an id and the two registries', () => {
    expect(steps.filter(({ kind }) => kind === 'whole').map(({ file }) => path.dirname(file))).toEqual([
      'lib/tools/count-words',
      ...Array.from({ length: 6 }, () => 'lib/strategies/double-bracket'),
    ])
    const added = steps.filter(({ kind }) => kind === 'added')
    expect(added.map(({ file }) => file)).toEqual([
      'lib/tools/registry.ts',
      'lib/strategies/tool-context-def.ts',
      'lib/strategies/registry.ts',
    ])
    expect(added.map(({ lines }) => lines.filter((line) => line.startsWith('+')).length)).toEqual([2, 1, 2])
  })

  it('touches a folder and two lists for a provider', () => {
    expect(ofProvider.map(({ kind, file }) => `${kind} ${file}`)).toEqual([
      'whole lib/models/groq/index.ts',
      'added lib/models/vendors.ts',
      'added lib/models/create-model-providers.ts',
    ])
  })

  it('is out of date where a line that it builds on is gone', () => {
    const step = steps.find(({ kind }) => kind === 'added')
    if (!step) throw new Error('nothing is added')
    const stale = { ...step, lines: step.lines.map((line) => (line.startsWith(' ') ? `${line} // moved` : line)) }
    expect(() => takeStep(copy, stale)).toThrow('has no one line')
  })

  it('compiles with all sources and tests', () => {
    expect(run('tsc', '--noEmit')).toEqual({ code: 0, out: '' })
  }, 240_000)

  it('gives a strategy that fulfils the contract, whose marks results lose, and that the demo speaks', () => {
    const { passed, red } = test(
      [
        'lib/strategies/strategies.test.ts',
        'lib/strategies/neutralise',
        'lib/strategies/prompt.test.ts',
        'lib/strategies/one-wound.test.ts',
        'lib/strategies/scan/not-a-request.test.ts',
        'lib/strategies/tool-context-builder.test.ts',
        'lib/strategies/corpus.test.ts',
        'lib/models/demo/with-strategies.test.ts',
        'lib/wiring/make-server.test.ts',
        'lib/chat/model-messages.property.test.ts',
        'lib/strategies/explain/reply-examples.test.ts',
      ],
      `${STRATEGY}|in JSON|knows its strategies|one strategy only|one file a strategy|what the model is sent`,
    )
    expect(red).toEqual([])
    expect(passed).toBeGreaterThan(100)
  }, 240_000)

  it('gives a tool that is found, offered, and runs', () => {
    const { passed, red } = test(
      ['lib/tools/registry.test.ts', 'lib/tools/discovery.test.ts', 'lib/models/demo/with-strategies.test.ts'],
      `${TOOL}|tools`,
    )
    expect(red).toEqual([])
    expect(passed).toBeGreaterThan(10)
    const said = run('tsx', 'scripts/protocol.ts', 'prompt', '--strategy', STRATEGY)
    expect(said.out).toContain(`${TOOL}(text: string)`)
    expect(said.out).toContain('[[CALL {"name":')
    writeFileSync(
      path.join(copy, 'run-it.ts'),
      `import { builtInTools } from '@/lib/tools/registry'
       import { filesWith, runTool } from '@/lib/tools/testing/files'
       const tool = builtInTools.find(({ name }) => name === '${TOOL}')
       if (tool) console.log(JSON.stringify(await runTool(tool, { text: 'one two  three' }, { vfs: await filesWith({}) })))`,
    )
    expect(JSON.parse(run('tsx', 'run-it.ts').out.split('\n')[0] ?? '')).toEqual({ ok: true, result: { words: 3 } })
  }, 240_000)

  it('gives a provider that its key alone puts into the list and that answers', () => {
    const { red, passed } = test(
      ['lib/models/config.test.ts', 'lib/models/create-model-providers.test.ts', 'lib/models/sees-images.test.ts'],
      '',
    )
    expect(red).toEqual([])
    expect(passed).toBeGreaterThan(40)
    writeFileSync(
      path.join(copy, 'ask-it.ts'),
      `import { decodeModelConfig } from '@/lib/models/config'
       import { createModelProviders } from '@/lib/models/create-model-providers'
       const asked: unknown[] = []
       const fetch = (url: unknown, init?: RequestInit) => {
         asked.push(String(url), new Headers(init?.headers).get('authorization'))
         const message = { role: 'assistant', content: 'Good day.' }
         return Promise.resolve(Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage: {} }))
       }
       const { providers, problems } = decodeModelConfig(null, { GROQ_API_KEY: 'a-key', NOD_OLLAMA: 'off' })
       const demo = { strategies: [], formatCalls: () => '', delay: () => Promise.resolve(), stepMs: 0 }
       const [groq] = createModelProviders(providers, { fetch: fetch as typeof globalThis.fetch, now: () => 0, demo })
       const models = await groq?.list(new AbortController().signal)
       const model = groq?.languageModel('meta-llama/llama-4-scout-17b-16e-instruct')
       const said = await model?.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] })
       console.log(JSON.stringify([problems, models?.map(({ id }) => id), asked, said?.content]))`,
    )
    expect(JSON.parse(run('tsx', 'ask-it.ts').out.split('\n')[0] ?? '')).toEqual([
      [],
      ['groq/meta-llama/llama-4-scout-17b-16e-instruct'],
      ['https://api.groq.com/openai/v1/chat/completions', 'Bearer a-key'],
      [{ type: 'text', text: 'Good day.' }],
    ])
  }, 240_000)

  it('would be found out: marks that nobody states, and facts that are left out', () => {
    const facts = path.join(folder, 'facts.ts')
    const whole = readFileSync(facts, 'utf8')
    writeFileSync(facts, whole.replace(/inResults: \[.*\]/, 'inResults: []'))
    expect(test(['lib/strategies/strategies.test.ts'], `in the form of ${STRATEGY}`).failed).toBeGreaterThan(5)
    writeFileSync(facts, whole.replace(/resultFrame: .*\n/, ''))
    // The registry and what it stands on: that all of it compiles was seen above.
    const registry = { extends: './tsconfig.json', include: [], files: ['lib/strategies/registry.ts'] }
    writeFileSync(path.join(copy, 'tsconfig.registry.json'), JSON.stringify(registry))
    expect(run('tsc', '--noEmit', '-p', 'tsconfig.registry.json').out).toContain("Property 'resultFrame' is missing")
    writeFileSync(facts, whole)
  }, 240_000)
})
