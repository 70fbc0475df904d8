import { type BrowserModelKind, type BrowserModelKindId, type OwnServerAddress, infoOfConfig } from '../browser-model'

/** A server with an OpenAI-compatible API. `root`: the API's path under the address. */
const kindOf = (id: BrowserModelKindId, root: (server: OwnServerAddress) => string): BrowserModelKind => ({
  id,
  open(config, { servers }) {
    const { server, name } = config
    if (!server) return Promise.reject(new Error('a server without an address'))
    const model = { baseUrl: root(server), key: server.key, name }
    return Promise.resolve({
      info: infoOfConfig(config),
      languageModel: (fields) => servers.languageModel(fields ? { ...model, fields } : model),
      dispose() {},
    })
  },
})

/** Any server with `/chat/completions` under its address: llama.cpp, vLLM, SGLang, a vendor's. */
export const openAICompatibleKind = kindOf('openai-compatible', ({ address }) => address)
export const ollamaKind = kindOf('ollama', ({ address }) => `${address}/v1`)
export const lmStudioKind = kindOf('lm-studio', ({ address }) => `${address}/v1`)
