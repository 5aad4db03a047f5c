package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"loom/internal/edit"
)

// flagError says what is wrong with a flag in the terms of the command line; the library's
// texts quote Go's parsers.
func flagError(c *cobra.Command, err error) string {
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return fmt.Sprintf("--%s takes %s, found %q", f.Name, valueText(f.Value.Type()), invalid.GetValue())
	case errors.As(err, &unknown):
		if near := nearestFlag(c, unknown.GetSpecifiedName()); near != "" {
			return fmt.Sprintf("%v, did you mean --%s?", err, near)
		}
	}
	return err.Error()
}

// valueText says what values a flag of a type of package pflag takes.
func valueText(kind string) string {
	switch kind {
	case "int", "int64":
		return "a whole number up to " + strconv.Itoa(math.MaxInt64)
	case "uint64":
		return "a whole number from 0 to " + strconv.FormatUint(math.MaxUint64, 10)
	case "duration":
		return "a time with its unit such as 90s, 2m or 1h"
	case "bool":
		return "true or false"
	}
	return "a " + kind
}

// nearestFlag is the flag of c that is most like name, "" where none is.
func nearestFlag(c *cobra.Command, name string) string {
	near, best := "", len(name)/3+1
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if d := edit.Distance(name, f.Name); d < best {
			near, best = f.Name, d
		}
	})
	return near
}
