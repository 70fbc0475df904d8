export interface Asked {
  readonly searchParams: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>
}

/** One value of the address; null where it is missing, or there are several. */
export const textOf = (value: string | readonly string[] | undefined): string | null =>
  typeof value === 'string' ? value : null
