import { browserModelId } from '@/lib/base/browser-model-id'

/** What holds a model to a form, for sentences: one that the page runs itself has no server. */
export const modelHolder = (modelId: string): 'server' | 'engine' =>
  modelId.startsWith(browserModelId('wllama', '')) ? 'engine' : 'server'
