/* By themselves, and without an import: Next's configuration reads them, too, and knows no alias. */

/** How the variables of hosts are read, by name; rows of the table are made of it. */
export const modelHostRules = {
  NOD_MODEL_HOSTS: { default: 'huggingface.co, *.huggingface.co, *.hf.co', http: false },
  NOD_MCP_HOSTS: {
    default: 'any',
    /** By http only where browsers take the host for safe: a person's own machine. */
    named: { any: ['https:', 'http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'], off: [] },
    http: true,
  },
  NOD_BROWSER_MODELS: {
    default: 'any',
    /** By http only where browsers take the host for safe: a person's own machine. */
    named: { any: ['https:', 'http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'], off: [] },
    http: true,
  },
} as const
