import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ollamaAddress, type Env } from './config-env'
import { decodeModelConfig as decode } from './config'

/** The errors in the form that an operator reads. */
function decodeModelConfig(text: string | null, env: Env) {
  const { problems, ...config } = decode(text, env)
  return { ...config, problems: problems.map(({ message }) => message) }
}

const quiet = { NOD_OLLAMA: 'off' }
const file = (value: unknown) => JSON.stringify(value)

describe('the environment', () => {
  it('detects only Ollama by itself, without an error', () => {
    expect(decodeModelConfig(null, {})).toEqual({
      providers: [{ kind: 'ollama', id: 'ollama', label: 'Ollama', baseUrl: 'http://127.0.0.1:11434', silent: true }],
      defaultModel: null,
      budgets: [],
      problems: [],
    })
    expect(decodeModelConfig(null, quiet).providers).toEqual([])
  })

  it('configures an OpenAI-compatible server', () => {
    const { providers, problems } = decodeModelConfig(null, {
      ...quiet,
      NOD_OPENAI_COMPATIBLE_URL: 'http://127.0.0.1:1234/v1/',
      NOD_OPENAI_COMPATIBLE_MODELS: 'a, b,,a ',
      NOD_OPENAI_COMPATIBLE_KEY: 'secret',
      NOD_OPENAI_COMPATIBLE_NAME: 'LM Studio',
    })
    expect(problems).toEqual([])
    expect(providers).toMatchObject([
      { id: 'openai-compatible', label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', apiKey: 'secret' },
    ])
    expect(providers[0]).toHaveProperty(
      'models',
      ['a', 'b'].map((name) => ({ name, label: null, contextTokens: null })),
    )
  })

  it('asks a server for its models if none are named, and adds /v1 to a bare host', () => {
    const { providers } = decodeModelConfig(null, { ...quiet, NOD_OPENAI_COMPATIBLE_URL: 'http://box:8080' })
    expect(providers).toMatchObject([{ label: 'box:8080', baseUrl: 'http://box:8080/v1', models: null, apiKey: null }])
  })

  it.each(['localhost', 'ftp://x/v1', 'http://', 'http://user:pass@x/v1'])('refuses the address %s', (url) => {
    const { providers, problems } = decodeModelConfig(null, { ...quiet, NOD_OPENAI_COMPATIBLE_URL: url })
    expect(providers).toEqual([])
    expect(problems).toEqual([expect.stringContaining('NOD_OPENAI_COMPATIBLE_URL is not an address like')])
    expect(problems.join()).not.toContain('pass')
  })

  it('offers default models with only a key, and the named ones instead', () => {
    const { providers } = decodeModelConfig(null, {
      ...quiet,
      OPENAI_API_KEY: 'k1',
      ANTHROPIC_API_KEY: 'k2',
      GOOGLE_GENERATIVE_AI_API_KEY: 'k3',
      NOD_ANTHROPIC_MODELS: 'claude-x',
    })
    expect(providers.map(({ id }) => id)).toEqual(['openai', 'anthropic', 'google'])
    expect(providers[0]).toHaveProperty('models.0.name', 'gpt-5.6')
    expect(providers[1]).toHaveProperty('models', [{ name: 'claude-x', label: null, contextTokens: null }])
  })

  it('accepts the known server names only', () => {
    const url = 'http://box:8080/v1'
    const env = (server: string) =>
      decodeModelConfig(null, { ...quiet, NOD_OPENAI_COMPATIBLE_URL: url, NOD_OPENAI_COMPATIBLE_SERVER: server })
    expect(env('vLLM').providers).toMatchObject([{ server: 'vllm' }])
    expect(env('a box').providers[0]).not.toHaveProperty('server')
    expect(env('a box').problems).toEqual([
      expect.stringContaining('NOD_OPENAI_COMPATIBLE_SERVER is not one of llama.cpp'),
    ])
    const said = (provider: object) => decodeModelConfig(file({ providers: [provider] }), quiet)
    expect(said({ kind: 'openai-compatible', url, server: 'sglang' }).providers).toMatchObject([{ server: 'sglang' }])
    expect(said({ kind: 'openai-compatible', url, server: 'box' }).problems.join()).toContain('"server" must be one of')
    expect(said({ kind: 'ollama', server: 'ollama' }).problems.join()).toContain('Remove it')
  })

  it('treats empty variables as missing', () => {
    expect(decodeModelConfig(null, { ...quiet, OPENAI_API_KEY: ' ', NOD_DEFAULT_MODEL: '' })).toEqual({
      providers: [],
      defaultModel: null,
      budgets: [],
      problems: [],
    })
  })

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:9999', 'http://127.0.0.1:9999'],
    [':9999', 'http://127.0.0.1:9999'],
    ['http://box', 'http://box:11434'],
    ['http://box:80', 'http://box'],
    ['https://ollama.example.com', 'https://ollama.example.com'],
    ['[::]:11434', 'http://127.0.0.1:11434'],
    ['http://box:11434/', 'http://box:11434'],
  ])('reads OLLAMA_HOST=%s as %s', (host, address) => {
    expect(ollamaAddress(host)).toBe(address)
  })
})

describe('nod.config.json', () => {
  it('configures providers and the default model', () => {
    const text = file({
      defaultModel: 'lab/qwen',
      providers: [
        { kind: 'openai-compatible', id: 'lab', label: 'Lab', url: 'http://lab:8000/v1', keyEnv: 'LAB_KEY' },
        { kind: 'openai', models: [{ name: 'gpt-5.6', label: 'GPT', contextTokens: 400000 }] },
        { kind: 'ollama', url: 'http://gpu:11434/v1' },
      ],
    })
    const { providers, defaultModel, problems } = decodeModelConfig(text, { LAB_KEY: 'l', OPENAI_API_KEY: 'o' })
    expect(problems).toEqual([])
    expect(defaultModel).toBe('lab/qwen')
    expect(providers).toEqual([
      { kind: 'openai-compatible', id: 'lab', label: 'Lab', baseUrl: 'http://lab:8000/v1', apiKey: 'l', models: null },
      {
        kind: 'openai',
        id: 'openai',
        label: 'OpenAI',
        apiKey: 'o',
        baseUrl: null,
        models: [{ name: 'gpt-5.6', label: 'GPT', contextTokens: 400000 }],
      },
      { kind: 'ollama', id: 'ollama', label: 'Ollama', baseUrl: 'http://gpu:11434', silent: false },
    ])
  })

  it('is valid in the shipped example', () => {
    const text = readFileSync(path.join(import.meta.dirname, '../../../nod.config.example.json'), 'utf8')
    const { providers, problems } = decodeModelConfig(text, { OPENROUTER_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' })
    expect(problems).toEqual([])
    expect(providers.map(({ id }) => id)).toEqual(['lm-studio', 'openrouter', 'ollama', 'anthropic'])
  })

  it('is overridden by NOD_DEFAULT_MODEL', () => {
    expect(decodeModelConfig(file({ defaultModel: 'a/b' }), { NOD_DEFAULT_MODEL: 'demo/demo' }).defaultModel).toBe(
      'demo/demo',
    )
  })

  it.each([
    ['{"providers": [', 'nod.config.json is not valid JSON'],
    ['[]', 'must be of type object'],
    [file({ provider: [] }), 'it has no setting named "provider"'],
    [file({ providers: {} }), '"providers" must be of type array'],
    [file({ providers: [{ kind: 'llama' }] }), '"kind" must be one of openai-compatible, ollama, openai'],
    [file({ providers: [{ kind: 'openai-compatible' }] }), '"url" must be an address like http://127.0.0.1:1234/v1'],
    [file({ providers: [{ kind: 'openai-compatible', url: 'x' }] }), '"url" must be an address'],
    [file({ providers: [{ kind: 'openai', apiKey: 'k' }] }), 'it has no setting named "apiKey"'],
    [file({ providers: [{ kind: 'openai' }] }), 'it needs a key. Set OPENAI_API_KEY'],
    [file({ providers: [{ kind: 'google', keyEnv: 'G' }] }), 'the variable G, which "keyEnv" names, is not set'],
    [file({ providers: [{ kind: 'openai', key: 'a', keyEnv: 'b' }] }), 'both "key" and "keyEnv"'],
    [file({ providers: [{ kind: 'openai', key: 'a', id: 'A/B' }] }), '"id" must be lower-case letters'],
    [file({ providers: [{ kind: 'openai', key: 'a', id: 'demo' }] }), 'the id "demo" is already used'],
    [file({ providers: [{ kind: 'openai', key: 'a', models: [] }] }), '"models"'],
    [file({ providers: ['openai'] }), 'it must be of type object'],
  ])('reports what is wrong with %s', (text, sentence) => {
    const { providers, problems } = decodeModelConfig(text, quiet)
    expect(providers).toEqual([])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(sentence)
    expect(problems[0]).toMatch(/\.$/)
  })

  it('leaves out only the invalid provider', () => {
    const text = file({ providers: [{ kind: 'nope' }, { kind: 'openai', key: 'k' }, { kind: 'openai', key: 'k2' }] })
    const { providers, problems } = decodeModelConfig(text, { ...quiet, ANTHROPIC_API_KEY: 'k3' })
    expect(providers.map(({ id }) => id)).toEqual(['openai', 'anthropic'])
    expect(problems).toEqual([
      expect.stringContaining('provider 1'),
      expect.stringContaining('the id "openai" is already used'),
    ])
  })

  it('never repeats a secret, even one in the wrong place', () => {
    const secret = 'sk-super-secret-value'
    for (const text of [
      `{"providers":[{"kind":"openai","key":"${secret}"`,
      `{"providers":[{"kind":"openai","key":"${secret}" oops}]}`,
      file({ providers: [{ kind: secret }] }),
      file({ providers: [{ kind: 'openai-compatible', url: `http://u:${secret}@x` }] }),
      file({ providers: [{ kind: 'ollama', key: secret }] }),
    ]) {
      const { problems } = decodeModelConfig(text, quiet)
      expect(problems).toHaveLength(1)
      expect(problems.join()).not.toContain(secret)
    }
  })

  it('reports the position of a JSON error', () => {
    expect(decodeModelConfig('{\n  "defaultModel" "a/b"\n}', quiet).problems[0]).toContain('line 2, column 18')
    expect(decodeModelConfig('{"providers": [', quiet).problems[0]).toContain('(it ends too early)')
  })

  it('wins over the environment if both configure a provider', () => {
    const text = file({ providers: [{ kind: 'openai', key: 'from-file' }] })
    const { providers } = decodeModelConfig(text, { ...quiet, OPENAI_API_KEY: 'from-env' })
    expect(providers).toMatchObject([{ id: 'openai', apiKey: 'from-file' }])
  })
})
