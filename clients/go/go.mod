// The path gets its host when the repository has one; until then: go mod edit -replace turnout/clients/go=/path/to/clients/go
module turnout/clients/go

go 1.23
