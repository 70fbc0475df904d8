/** Closes an exhaustive switch: the compiler refuses a union member that no case handles. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`)
}
