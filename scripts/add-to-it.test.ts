import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeStep } from './add-to-it/recipe'
import { ADDED_STRATEGY, makeRecipeCopy, stepsOfProvider, stepsOfStrategy } from './add-to-it/recipe-copy'

/*
 * Carries out the blocks of docs/internals (the tutorial, a strategy, a provider) in a copy of the sources and runs the tests that they
 * touch. add-to-it.nightly.test.ts compiles the copy.
 */

const { folder: copy, run, test, followAll, remove } = makeRecipeCopy()
beforeAll(followAll, 120_000)
afterAll(remove)

describe('the pages on how to add something', () => {
  it('add a folder and change two lists for a strategy', () => {
    const added = stepsOfStrategy.filter(({ kind }) => kind === 'whole')
    expect(new Set(added.map(({ file }) => path.dirname(file)))).toEqual(new Set(['lib/protocols/double-bracket']))
    expect(stepsOfStrategy.filter(({ kind }) => kind === 'change').map(({ file }) => file)).toEqual([
      'lib/protocols/types/tool-context-def.ts',
      'lib/protocols/registry.ts',
    ])
  })

  it('add a folder and change two lists for a provider', () => {
    expect(stepsOfProvider.map(({ kind, file }) => `${kind} ${file}`)).toEqual([
      'whole lib/server/models/groq/index.ts',
      'change lib/shared/models/vendors.ts',
      'change lib/server/models/create-model-providers.ts',
    ])
  })

  it('are out of date if a line that they name is gone', () => {
    const step = stepsOfStrategy.find(({ kind }) => kind === 'change')
    if (!step) throw new Error('no step changes a file')
    const stale = { ...step, lines: step.lines.map((line) => (line.startsWith(' ') ? `${line} // moved` : line)) }
    expect(() => takeStep(copy, stale)).toThrow('does not have exactly one line')
  })

  it('give a tool that is offered, described in both languages, and runs', () => {
    const { passed, red } = test(
      [
        'lib/shared/tools/registry.test.ts',
        'lib/shared/tools/tool-registry.test.ts',
        'lib/shared/tools/built-in-tools.test.ts',
        'lib/shared/tools/discovery.test.ts',
        'lib/server/models/demo/with-strategies.test.ts',
        'lib/i18n',
      ],
      '',
    )
    expect(red).toEqual([])
    expect(passed).toBeGreaterThan(10)
    const said = run('tsx', 'scripts/protocol.ts', 'prompt', '--strategy', ADDED_STRATEGY)
    expect(said.out).toContain(`count_words(text: string)`)
    expect(said.out).toContain('[[CALL {"name":')
    writeFileSync(
      path.join(copy, 'run-it.ts'),
      `import { builtInTools } from '@/lib/shared/tools/registry'
       import { filesWith, runTool } from '@/lib/shared/tools/testing/files'
       const tool = builtInTools.find(({ name }) => name === 'count_words')
       if (tool) console.log(JSON.stringify(await runTool(tool, { text: 'one two  three' }, { vfs: await filesWith({}) })))`,
    )
    expect(JSON.parse(run('tsx', 'run-it.ts').out.split('\n')[0] ?? '')).toEqual({ ok: true, result: { words: 3 } })
  }, 240_000)

  it('give a menu item and a field of an answer that all tests accept', () => {
    const { passed, red } = test(
      [
        'components/tool-call/batch/batch-and-meta',
        'components/tool-call/waiting/four-targets',
        'app/api/routes.test.ts',
      ],
      '',
    )
    expect(red).toEqual([])
    expect(passed).toBeGreaterThan(30)
  }, 240_000)

  it('give a provider that its key alone puts into the list and that answers', () => {
    const { red, passed } = test(
      [
        'lib/server/models/config.test.ts',
        'lib/server/models/create-model-providers.test.ts',
        'lib/server/models/sees-images.test.ts',
      ],
      '',
    )
    expect(red).toEqual([])
    expect(passed).toBeGreaterThan(40)
    writeFileSync(
      path.join(copy, 'ask-it.ts'),
      `import { decodeModelConfig } from '@/lib/server/models/config'
       import { createModelProviders } from '@/lib/server/models/create-model-providers'
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

  it('give a strategy whose missing facts are noticed', () => {
    const facts = path.join(copy, 'lib/protocols/double-bracket/facts.ts')
    const whole = readFileSync(facts, 'utf8')
    writeFileSync(facts, whole.replace(/inResults: \[.*\]/, 'inResults: []'))
    expect(test(['lib/protocols/strategies.test.ts'], `in the form of ${ADDED_STRATEGY}`).failed).toBeGreaterThan(5)
    writeFileSync(facts, whole.replace(/resultFrame: .*\n/, ''))
    // The registry and what it stands on: that all of it compiles is seen nightly.
    const registry = { extends: './tsconfig.json', include: [], files: ['lib/protocols/registry.ts'] }
    writeFileSync(path.join(copy, 'tsconfig.registry.json'), JSON.stringify(registry))
    expect(run('tsc', '--noEmit', '-p', 'tsconfig.registry.json').out).toContain("Property 'resultFrame' is missing")
    writeFileSync(facts, whole)
  }, 240_000)
})
