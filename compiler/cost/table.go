package cost

var table = map[Class]Weights{}
