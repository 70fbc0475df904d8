import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeStep } from './add-to-it/recipe'
import { ADDED_STRATEGY, makeRecipeCopy, stepsOfProvider, stepsOfReadme } from './add-to-it/recipe-copy'

/*
 * What the README says under "Add to it", and CONTRIBUTING under "Add a provider", is done, from the blocks alone, in a copy of
 * the sources: everybody's tests then hold for them. That all of it compiles: add-to-it.nightly.test.ts.
 */

const { folder: copy, run, test, followAll, remove } = makeRecipeCopy()
beforeAll(followAll, 120_000)
afterAll(remove)

describe('the README’s “Add to it”', () => {
  it('touches a folder each, an id and the two registries', () => {
    expect(stepsOfReadme.filter(({ kind }) => kind === 'whole').map(({ file }) => path.dirname(file))).toEqual([
      'lib/tools/count-words',
      ...Array.from({ length: 6 }, () => 'lib/strategies/double-bracket'),
    ])
    const added = stepsOfReadme.filter(({ kind }) => kind === 'added')
    expect(added.map(({ file }) => file)).toEqual([
      'lib/tools/registry.ts',
      'lib/strategies/tool-context-def.ts',
      'lib/strategies/registry.ts',
    ])
    expect(added.map(({ lines }) => lines.filter((line) => line.startsWith('+')).length)).toEqual([2, 1, 2])
  })

  it('touches a folder and two lists for a provider', () => {
    expect(stepsOfProvider.map(({ kind, file }) => `${kind} ${file}`)).toEqual([
      'whole lib/models/groq/index.ts',
      'added lib/models/vendors.ts',
      'added lib/models/create-model-providers.ts',
    ])
  })

  it('is out of date where a line that it builds on is gone', () => {
    const step = stepsOfReadme.find(({ kind }) => kind === 'added')
    if (!step) throw new Error('nothing is added')
    const stale = { ...step, lines: step.lines.map((line) => (line.startsWith(' ') ? `${line} // moved` : line)) }
    expect(() => takeStep(copy, stale)).toThrow('has no one line')
  })

  it('gives a tool that is found, offered, and runs', () => {
    const { passed, red } = test(
      ['lib/tools/registry.test.ts', 'lib/tools/discovery.test.ts', 'lib/models/demo/with-strategies.test.ts'],
      `count_words|tools`,
    )
    expect(red).toEqual([])
    expect(passed).toBeGreaterThan(10)
    const said = run('tsx', 'scripts/protocol.ts', 'prompt', '--strategy', ADDED_STRATEGY)
    expect(said.out).toContain(`count_words(text: string)`)
    expect(said.out).toContain('[[CALL {"name":')
    writeFileSync(
      path.join(copy, 'run-it.ts'),
      `import { builtInTools } from '@/lib/tools/registry'
       import { filesWith, runTool } from '@/lib/tools/testing/files'
       const tool = builtInTools.find(({ name }) => name === 'count_words')
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
    const facts = path.join(copy, 'lib/strategies/double-bracket/facts.ts')
    const whole = readFileSync(facts, 'utf8')
    writeFileSync(facts, whole.replace(/inResults: \[.*\]/, 'inResults: []'))
    expect(test(['lib/strategies/strategies.test.ts'], `in the form of ${ADDED_STRATEGY}`).failed).toBeGreaterThan(5)
    writeFileSync(facts, whole.replace(/resultFrame: .*\n/, ''))
    // The registry and what it stands on: that all of it compiles is seen nightly.
    const registry = { extends: './tsconfig.json', include: [], files: ['lib/strategies/registry.ts'] }
    writeFileSync(path.join(copy, 'tsconfig.registry.json'), JSON.stringify(registry))
    expect(run('tsc', '--noEmit', '-p', 'tsconfig.registry.json').out).toContain("Property 'resultFrame' is missing")
    writeFileSync(facts, whole)
  }, 240_000)
})
