export * as simpleStatistics from 'simple-statistics'
