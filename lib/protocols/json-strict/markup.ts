/** The key of the object in which a result is told, and by which an invented one is known. */
export const RESULT_KEY = 'tool_call_result'
