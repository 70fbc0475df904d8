import type { ChatRequest, ChatResponse, ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import { isBrowserModel } from '@/lib/base/browser-model-id'
import { ok } from '@/lib/base/result'
import type { ApiAnswer } from '../api/api-failure'
import type { NodApi } from '../api/nod-api'
import type { ModelInfo } from '@/lib/shared/models/model'
import type { TabWriters } from './tab-writer/tab-writers'

/** Models of this browser, and the tab that writes by them. */
export interface LocalModels extends TabWriters {
  /** The person's list; never rejects. */
  list(): Promise<readonly ModelInfo[]>
}

/** Stands in the browser's storage where it has models of its own: only then their part of the page is loaded. */
export const ownModelsKey = 'nod:own-models'

/**
 * The same server, whose replies by models of this browser are written in this tab. `modelOf`: as far as the page knows; where
 * it does not, the server says so. What writes is loaded when it is first needed.
 */
export function browserModelApi(
  api: NodApi,
  {
    modelOf,
    hasOwn,
    load,
  }: {
    readonly modelOf: (body: ChatRequest) => string
    /** Asked each time that the models are. */
    readonly hasOwn: () => boolean
    readonly load: () => Promise<LocalModels>
  },
): NodApi {
  let writers: LocalModels | null = null

  async function here(body: ChatRequest, model: string): Promise<ApiAnswer<ChatResponse>> {
    try {
      writers ??= await load()
    } catch {
      return api.chat(body)
    }
    return writers.chat(body, model, api.chat)
  }

  return {
    ...api,
    async chat(body) {
      const known = modelOf(body)
      if (isBrowserModel(known)) return here(body, known)
      const answer = await api.chat(body)
      const { model } = answer.ok || answer.error.reason !== 'chat.tab-model' ? {} : answer.error.values
      return typeof model === 'string' ? here(body, model) : answer
    },
    async models() {
      const answer = await api.models()
      if (!answer.ok || !hasOwn()) return answer
      try {
        writers ??= await load()
        return ok<ModelsResponse>({ ...answer.value, models: [...answer.value.models, ...(await writers.list())] })
      } catch {
        return answer
      }
    },
    stopRun(runId) {
      writers?.stop(runId)
      return api.stopRun(runId)
    },
  }
}
