import type { ModelProvider } from '@/lib/shared/models/model'
import { createDemoModel } from './demo-model'
import type { DemoPorts } from './demo-model'

export type { DemoPorts } from './demo-model'

/** Built in, needs no key, and says that it is a script. */
export function createDemoProvider(ports: DemoPorts): ModelProvider {
  const model = createDemoModel(ports)
  return {
    id: 'demo',
    label: 'Nod',
    list: () =>
      Promise.resolve([
        {
          id: 'demo/demo',
          label: 'Demo (a script)',
          providerLabel: 'Nod',
          contextTokens: null,
          seesImages: false,
          simulated: true,
        },
      ]),
    languageModel: () => model,
  }
}
