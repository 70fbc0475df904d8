import { describe, expect, it } from 'vitest'
import { readOperatorServers, variablesOfServers } from './operator-server'

const read = (raw: unknown, isForMany = false) =>
  readOperatorServers(raw, { isForMany, variable: (name) => (name === 'WIKI' ? 'Bearer wiki-secret' : null) })
const problem = (entry: unknown, name = 'x', isForMany = false) => {
  const { servers, problems } = read({ [name]: entry }, isForMany)
  expect(servers).toEqual([])
  return problems.map(({ message }) => message).join()
}

describe('mcpServers in nod.config.json', () => {
  it('reads programs and URLs, with secrets from variables', () => {
    const raw = {
      files: { command: 'npx', args: ['-y', 'server', '.'], env: { A: 'b' }, cwd: '/srv/${NOD_OWNER}' },
      wiki: {
        type: 'http',
        url: 'https://wiki.example.org/mcp',
        headers: { Authorization: { env: 'WIKI' } },
        shared: true,
      },
    }
    expect(read(raw, true)).toEqual({
      servers: [
        {
          kind: 'stdio',
          name: 'files',
          isShared: false,
          command: 'npx',
          args: ['-y', 'server', '.'],
          env: { A: 'b' },
          folder: '/srv/${NOD_OWNER}',
        },
        {
          kind: 'http',
          name: 'wiki',
          isShared: true,
          url: 'https://wiki.example.org/mcp',
          headers: { Authorization: 'Bearer wiki-secret' },
        },
      ],
      secrets: ['Bearer wiki-secret'],
      problems: [],
    })
    expect(variablesOfServers(raw)).toEqual(['WIKI'])
  })

  it.each([undefined, null, {}])('reads none from %j', (raw) => {
    expect(read(raw)).toEqual({ servers: [], secrets: [], problems: [] })
  })

  it.each([
    [[], 'x', ''],
    ['x', 'x', 'needs a "command"'],
    [{}, 'x', '"command" is missing'],
    [{ command: 'a' }, 'My Server', 'a name must be lower-case letters'],
    [{ command: 'a' }, '../x', 'a name must be'],
    [{ command: 'a', argz: [] }, 'x', 'no setting named argz'],
    [{ command: 'a', args: [1] }, 'x', '"args.0" is missing or has a value'],
    [{ command: 'a', env: { K: { env: 'NOWHERE' } } }, 'x', 'the variable NOWHERE, which "K" names, is not set'],
    [{ url: 'https://a.example' }, 'x', '"type" is missing'],
    [{ type: 'websocket', url: 'https://a.example' }, 'x', '"type" is missing or has'],
    [{ type: 'http', url: 'file:///etc/passwd' }, 'x', 'must be an http or https address'],
    [{ type: 'http', url: 'a.example/mcp' }, 'x', 'must be an http or https address'],
    [{ type: 'http', url: 'https://me:hunter2@a.example' }, 'x', 'Put secrets in "headers"'],
    [{ type: 'http', url: 'https://a.example', headers: { 'a b': 'c' } }, 'x', 'the header a b'],
    [{ type: 'http', url: 'https://a.example', headers: { Host: 'b' } }, 'x', 'the header Host'],
    [{ type: 'http', url: 'https://a.example', headers: { A: 'b\r\nC: d' } }, 'x', 'the header A'],
  ])('reports in one sentence what is wrong with %j, without any value', (entry, name, says) => {
    const message = problem(entry, name)
    expect(message).toContain(says)
    expect(message).toContain('is ignored')
    expect(message).not.toMatch(/hunter2|passwd/)
  })

  it('leaves out only the invalid server', () => {
    const { servers, problems } = read({ a: { command: 'a' }, b: { command: 1 } })
    expect([servers.map(({ name }) => name), problems.length]).toEqual([['a'], 1])
  })

  it.each([[{ command: 'a', args: ['/srv'] }], [{ type: 'http', url: 'https://a.example', headers: { A: 'b' } }]])(
    'refuses servers that several users would share, unless the operator allows it: %j',
    (entry) => {
      expect(problem(entry, 'x', true)).toContain('would share its data')
      expect(read({ x: entry }).servers).toHaveLength(1)
      expect(read({ x: { ...entry, shared: true } }, true).servers).toMatchObject([{ isShared: true }])
    },
  )

  it('refuses a shared program that names the owner', () => {
    expect(problem({ command: 'a', args: ['${NOD_OWNER}'], shared: true })).toContain('one process for everyone')
  })
})
