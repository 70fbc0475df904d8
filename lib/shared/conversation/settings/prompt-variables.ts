/** `{{name}}`, blanks around the name allowed. Names are on one line and have no braces. */
const variable = /\{\{[ \t]*([^{}\n\r]{1,60}?)[ \t]*\}\}/gu

/** The variables of a prompt, each once, in the order of the text. */
export const variablesOf = (prompt: string): readonly string[] => [
  ...new Set([...prompt.matchAll(variable)].map(([, name = '']) => name)),
]

/** The prompt with values in the place of its variables; one without a value stays as it is written. */
export const fillVariables = (prompt: string, values: Readonly<Record<string, string>>): string =>
  prompt.replaceAll(variable, (written, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : written))
