import type { createDeliverer } from './deliver'

type CreateDeliverer = typeof createDeliverer

/**
 * Takes messages to the server with code that loads at the first one. While it can't be had, nothing can reach the server either: a
 * message waits in the outbox as it does without a network, and goes by itself.
 */
export const createLazyDeliverer =
  (load: () => Promise<{ readonly createDeliverer: CreateDeliverer }>): CreateDeliverer =>
  (...made) => {
    let deliver: ReturnType<CreateDeliverer> | null = null
    return async (...message) => {
      const code = deliver ? null : await load().catch(() => null)
      deliver ??= code?.createDeliverer(...made) ?? null
      return deliver ? deliver(...message) : 'unanswered'
    }
  }
