import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { experimental_streamTextLowMemory as streamText } from 'ai'
import type { ModelInput } from './model-messages'

/**
 * What the SDK passes to a model of the server for this input, part by part, as JSON: the SDK is called with a model
 * that answers nothing. Images are base64.
 */
export async function promptForTab({ instructions, messages }: ModelInput): Promise<LanguageModelV4Prompt> {
  const { promise, resolve, reject } = Promise.withResolvers<LanguageModelV4Prompt>()
  const listener: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'tab',
    modelId: 'tab',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('replies are streamed')),
    doStream({ prompt }) {
      resolve(prompt)
      return Promise.resolve({ stream: new ReadableStream({ start: (controller) => controller.close() }) })
    },
  }
  const { stream } = streamText({
    model: listener,
    ...(instructions === '' ? {} : { instructions }),
    messages,
    maxRetries: 0,
    telemetry: { isEnabled: false },
    onError: ({ error }) =>
      reject(error instanceof Error ? error : new Error('the prompt was refused', { cause: error })),
  })
  // Nothing comes; it is read so that the model is called, and errors are noticed.
  for await (const part of stream) if (part.type === 'error') break
  reject(new Error('the model was not asked'))
  return promise
}
