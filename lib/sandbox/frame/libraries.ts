/** A package that code may import by its name: the asset that holds it, and its name among that asset's exports. */
interface Library {
  readonly asset: string
  readonly member: string
}

export const libraries: Readonly<Record<string, Library>> = {
  papaparse: { asset: 'papaparse.js', member: 'papaparse' },
  'simple-statistics': { asset: 'simple-statistics.js', member: 'simpleStatistics' },
  'date-fns': { asset: 'date-fns.js', member: 'dateFns' },
  vega: { asset: 'vega.js', member: 'vega' },
  'vega-lite': { asset: 'vega.js', member: 'vegaLite' },
}
