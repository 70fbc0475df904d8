export const NAME_KEYS: readonly string[] = ['name', 'tool', 'tool_name', 'function']
export const ARGUMENT_KEYS: readonly string[] = ['arguments', 'parameters', 'args', 'input', 'params']
export const ENVELOPE_KEYS: readonly string[] = ['tool_calls', 'tool_call', 'function_call']
export const ID_KEYS: readonly string[] = ['id', 'tool_call_id', 'call_id']

/** Every key that a call object or an envelope may have of its own. */
export const CALL_KEYS: ReadonlySet<string> = new Set([
  ...NAME_KEYS,
  ...ARGUMENT_KEYS,
  ...ENVELOPE_KEYS,
  ...ID_KEYS,
  'type',
  'index',
  'action',
  'action_input',
])
