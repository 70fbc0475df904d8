export { default as papaparse } from 'papaparse'
