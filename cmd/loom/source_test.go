package main

import "testing"

func TestRequestsJSON(t *testing.T) {
	for _, c := range []struct {
		args []string
		want bool
	}{
		{nil, false},
		{[]string{"sim", "--frob", "--json"}, true},
		{[]string{"--json=true", "x"}, true},
		{[]string{"--json=false"}, false},
		{[]string{"verify", "--", "--json"}, false},
	} {
		if got := requestsJSON(c.args); got != c.want {
			t.Errorf("%q: %v", c.args, got)
		}
	}
}

func TestWithMember(t *testing.T) {
	object := []byte(`{"a": 1}`)
	if got := string(withMember(object, "b<", []string{"x<y"})); got != `{"a": 1, "b<": ["x<y"]}` {
		t.Error(got)
	}
	if string(object) != `{"a": 1}` {
		t.Error("the object itself was changed")
	}
}
