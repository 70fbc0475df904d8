/** The kinds of fields that a form can have. */
export const fieldTypes = ['text', 'number', 'date', 'yes_no'] as const

/** The most that one question may hold: characters of its texts, and how many of what there are several of. */
export const askLimits = { question: 2_000, choices: 12, choice: 200, fields: 8, name: 60 } as const
