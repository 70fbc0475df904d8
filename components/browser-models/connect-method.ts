import type { ServerKindId } from '@/lib/client/browser-models/doctor/examine'

/** A way to connect a model; the dialog opens at its form. */
export type ConnectMethod = ServerKindId | 'paste'

export const connectMethods = [
  'ollama',
  'lm-studio',
  'openai-compatible',
  'paste',
] as const satisfies readonly ConnectMethod[]
