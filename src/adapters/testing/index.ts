export { type FileSystemUnderTest, fileSystemSuite, type SuiteCase } from './file-system-suite.js'
