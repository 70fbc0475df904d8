import { describe, expect, it } from 'vitest'
import { describeProblem, toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import type { SandboxOutcome, SandboxRun } from '@/lib/sandbox/sandbox'
import { browserJsEval } from './browser-js-eval'
import { toolRegistry } from './built-in-registry'
import { pythonEval } from './python-eval'
import { filesWith, runTool } from './testing/files'

const files = {
  '/skills/a/scripts/run.py': 'import sys\nprint(sys.argv)',
  '/skills/a/scripts/run.js': 'console.log(process.argv)',
  '/skills/a/scripts/run.sh': 'rm -rf /',
  '/skills/a/SKILL.md': 'text',
}

/** What the sandbox received. */
async function ran(tool: typeof pythonEval | typeof browserJsEval, args: Parameters<typeof runTool>[1]) {
  const runs: Pick<SandboxRun, 'code' | 'language'>[] = []
  const outcome = await runTool(tool, args, {
    vfs: await filesWith(files),
    sandbox: {
      run({ code, language }): Promise<SandboxOutcome> {
        runs.push({ code, ...(language && { language }) })
        return Promise.resolve({ kind: 'returned', value: 'undefined', valueIsJson: false, durationMs: 1 })
      },
      dispose: () => {},
    },
  })
  return { outcome, run: runs[0] }
}

describe('a script with arguments', () => {
  it('runs as in Python, with its folder on the path', async () => {
    const { run, outcome } = await ran(pythonEval, { file: 'skills/a/scripts/run.py', args: ['a "b"', '--x'] })
    expect(outcome.ok).toBe(true)
    expect(run).toEqual({
      language: 'python',
      code: [
        'import runpy, sys',
        'sys.argv = ["/skills/a/scripts/run.py", "a \\"b\\"", "--x"]',
        'sys.path.insert(0, "/skills/a/scripts")',
        '_ = runpy.run_path("/skills/a/scripts/run.py", run_name="__main__")',
      ].join('\n'),
    })
  })

  it('runs as in Node', async () => {
    const { run } = await ran(browserJsEval, { file: '/skills/a/scripts/run.js', args: ['b'] })
    expect(run?.code).toBe(
      'process.argv = ["node", "/skills/a/scripts/run.js", "b"]\nawait import("/skills/a/scripts/run.js")\nundefined',
    )
  })

  it('runs code as usual, with an empty file beside it', async () => {
    expect((await ran(pythonEval, { code: '1 + 1', file: '' })).run?.code).toBe('1 + 1')
  })

  it.each([
    ['a shell script', pythonEval, 'run.sh', /no shell here.*read_file/],
    ['JavaScript under Python', pythonEval, 'run.js', /runs with browser_js_eval/],
    ['Python under JavaScript', browserJsEval, 'run.py', /runs with python_eval/],
    ['what is no script', browserJsEval, '../SKILL.md', /can’t run here/],
    ['a file that is not there', pythonEval, 'runs.py', /run\.py/],
    ['a path that leads out', pythonEval, '../../../../run.py', /leads out/],
  ] as const)('does not run %s, and explains what to do', async (_name, tool, name, why) => {
    const { outcome, run } = await ran(tool, { file: `/skills/a/scripts/${name}` })
    expect(run).toBeUndefined()
    expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(why) as string })
  })
})

describe('code or a script', () => {
  const tools = toolRegistry.builtIn.specs()
  const read = (strategy: (typeof strategyIds)[number], args: Parameters<typeof runTool>[1]) =>
    toolContextBuilder.readCall(
      { name: strategy === 'VCP' ? 'python_eval' : 'browser_js_eval', arguments: args },
      tools,
    )

  it.each(strategyIds)('says under %s that it is exactly one of them', (strategy) => {
    for (const args of [{}, { code: '1', file: '/a.py' }, { code: '', file: '' }]) {
      const call = read(strategy, args)
      expect(call.problem).toMatchObject({ code: 'invalid-arguments' })
      const words = describeProblem(call, tools, strategy)
      expect(words).toContain('must hold exactly one of `code`')
      expect(words).toMatch(/code/)
    }
    for (const args of [{ code: '1' }, { file: '/a.py', args: ['x'] }, { code: '', file: '/a.py' }]) {
      expect(read(strategy, args).problem).toBeNull()
    }
  })

  it('shows the text of the script on the card, and Run requires that text', () => {
    const args = { file: '/a.py', args: ['x', 'y z'] }
    const summary = pythonEval.card.summarize(args, () => ({ text: 'print(1)', size: 8 }))
    expect(summary).toMatchObject({
      head: '/a.py',
      dependsOn: ['/a.py'],
      body: { kind: 'code', language: 'python', text: 'print(1)' },
    })
    expect(summary.sentence.filter((part) => typeof part !== 'string')).toEqual([
      { code: '/a.py' },
      { code: 'x' },
      { code: 'y z' },
    ])
    const missing = pythonEval.card.summarize(args, () => null)
    expect(JSON.stringify(missing.sentence)).toContain('There is no such file')
  })
})
