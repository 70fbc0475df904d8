import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'

type Unified = LanguageModelV4FinishReason['unified']

/** By kind, in the words of servers; case, blanks, hyphens and marks don't count. */
const reasons: Readonly<Partial<Record<Unified, string>>> = {
  // OpenAI, Hugging Face, Together, Anthropic, Bedrock, Cohere, Google, Baidu, Ollama.
  stop: 'stop eos eos_token eos_found eot_id end_turn stop_sequence stop_token stop_string stopped end end_of_text endoftext im_end complete completed done finished normal success pause_turn',
  'tool-calls': 'tool_calls tool_call tool_use function_call function_calls',
  // And Mistral, Zhipu.
  length:
    'length max_tokens max_length max_output_tokens max_new_tokens max_completion_tokens model_length limit token_limit length_limit model_context_window_exceeded context_length_exceeded context_window_exceeded',
  'content-filter':
    'content_filter content_filtered guardrail_intervened sensitive safety recitation blocklist prohibited_content spii image_safety error_toxic refusal',
}

const known: ReadonlyMap<string, Unified> = new Map(
  Object.entries(reasons).flatMap(([unified, names]) => names.split(' ').map((name) => [name, unified as Unified])),
)

/**
 * What a server’s reason for the end of a reply means. Only reasons that are known to be good count as such: “error”, “abort”,
 * “network_error” and whatever nobody has seen before are `other`.
 */
export const meaningOf = (reason: string): Unified =>
  known.get(
    reason
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_')
      .replaceAll(/[^a-z0-9_]/g, ''),
  ) ?? 'other'
