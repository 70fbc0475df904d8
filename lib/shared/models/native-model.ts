import type {
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import { FrameWriter } from '@/lib/protocols/framed-calls/frame-writer'
import { BESIDE_OPENER, FRAME_OPENER } from '@/lib/protocols/framed-calls/frame'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'

/**
 * A model that gets the tools' schemas, and whose own calls become frames in its text. So a native call is streamed,
 * stored and read like any other, with its arguments as the provider wrote them: no package in between parses, checks
 * or runs them. `asked` is false if the chat asks for calls in the text: a native call may still come, its frame says
 * so, and it is read as a foreign call.
 */
export function withNativeTools(
  model: LanguageModelV4,
  tools: readonly ToolSpec[],
  asked = tools.length > 0,
): LanguageModelV4 {
  const offered = tools.map(({ name, description, parameters }): LanguageModelV4FunctionTool => ({
    type: 'function',
    name,
    description,
    // A tool's parameters are JSON Schema by contract; this is the same under the SDK's name.
    inputSchema: parameters as JSONSchema7,
  }))
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: () => Promise.reject(new Error('replies are streamed')),
    async doStream(options) {
      const result = await model.doStream(offered.length === 0 ? options : { ...options, tools: offered })
      return { ...result, stream: result.stream.pipeThrough(framesOf(asked)) }
    },
  }
}

const framesId = 'native-calls'

function framesOf(asked: boolean): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const writer = new FrameWriter(asked ? FRAME_OPENER : BESIDE_OPENER)
  let started = false
  let ended = false
  return new TransformStream({
    transform(part, controller) {
      const append = (delta: string) => {
        if (delta === '') return
        if (!started) controller.enqueue({ type: 'text-start', id: framesId })
        started = true
        controller.enqueue({ type: 'text-delta', id: framesId, delta })
      }
      const end = () => {
        if (ended) return
        ended = true
        append(writer.end())
        if (started) controller.enqueue({ type: 'text-end', id: framesId })
      }
      switch (part.type) {
        case 'text-delta': {
          const delta = writer.text(part.delta)
          if (delta !== '') controller.enqueue({ ...part, delta })
          break
        }
        // The parts of inputs are passed on too: nothing reads them, but they show that the model is alive.
        case 'tool-input-start':
          if (part.providerExecuted !== true) append(writer.inputStart(part.id, part.toolName))
          controller.enqueue(part)
          break
        case 'tool-input-delta':
          append(writer.inputDelta(part.id, part.delta))
          controller.enqueue(part)
          break
        case 'tool-call':
          if (part.providerExecuted !== true)
            append(writer.call(part.toolCallId, part.toolName, part.input, metadataOf(part)))
          break
        case 'finish':
        case 'error':
          end()
          controller.enqueue(part)
          break
        default:
          controller.enqueue(part)
      }
    },
  })
}

/** JSON stays JSON in the frame. */
export const metadataOf = ({ providerMetadata }: LanguageModelV4ToolCall): JsonObject | null =>
  providerMetadata === undefined ? null : (JSON.parse(JSON.stringify(providerMetadata)) as JsonObject)
