module example.com/agenthost

go 1.21
