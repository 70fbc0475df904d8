const maxLength = 1_000

/** What a page printed, as text: a short form of each value, never longer than a screen. */
export const describePageMessage = (values: readonly unknown[]): string =>
  values.map(describeOne).join(' ').slice(0, maxLength)

function describeOne(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, maxLength)
  if (value instanceof Error) return describeError(value)
  if (value instanceof Element) return `<${value.localName}>`
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return JSON.stringify(value).slice(0, maxLength)
  } catch {
    return Object.prototype.toString.call(value)
  }
}

export const describeError = ({ name, message }: Error): string => `${name}: ${message}`
