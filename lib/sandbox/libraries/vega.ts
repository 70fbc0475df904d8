// All in one file, because they share most of their parts.
export * as vega from 'vega'
export * as vegaLite from 'vega-lite'
export { renderChart } from '../frame/charts/render-chart'
