package hostsim

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
)

// peer is the program at the other end of the pipes; its memory is that of the device. The
// messages are those of device.c. err is the first failure: the program has ended.
type peer struct {
	r   *bufio.Reader
	w   *bufio.Writer
	err error
}

func (p *peer) put(kind byte, words ...uint64) {
	_ = p.w.WriteByte(kind)
	for _, v := range words {
		var word [8]byte
		binary.NativeEndian.PutUint64(word[:], v)
		_, _ = p.w.Write(word[:])
	}
}

// get reads what the program writes next, after all that it is to read.
func (p *peer) get(data []byte) bool {
	if p.err == nil {
		p.err = p.w.Flush()
	}
	if p.err == nil {
		_, p.err = io.ReadFull(p.r, data)
	}
	return p.err == nil
}

func (p *peer) flag() bool {
	var b [1]byte
	return p.get(b[:]) && b[0] != 0
}

func (p *peer) Read(addr uint64, data []byte) bool {
	p.put('R', addr, uint64(len(data)))
	return p.flag() && p.get(data)
}

func (p *peer) Writable(addr uint64, n int) bool {
	p.put('C', addr, uint64(n))
	return p.flag()
}

func (p *peer) Write(addr uint64, data []byte) {
	p.put('W', addr, uint64(len(data)))
	_, _ = p.w.Write(data)
}

// serve does what the program asks for until it ends and returns the report, with status none
// for a program that ended without saying so or never accessed the device.
func serve(ctx context.Context, p *peer, device func() (*Device, error)) (*Report, error) {
	var d *Device
	for {
		var message [17]byte
		if !p.get(message[:]) {
			if p.err == io.EOF || errors.Is(p.err, io.ErrUnexpectedEOF) {
				p.err = nil
			}
			return &Report{Status: "none"}, p.err
		}
		if d == nil {
			var err error
			if d, err = device(); err != nil {
				return nil, err
			}
		}
		a, b := binary.NativeEndian.Uint64(message[1:]), binary.NativeEndian.Uint64(message[9:])
		var v uint64
		var err error
		switch message[0] {
		case 'r':
			var word uint32
			word, err = d.Read(uint32(a))
			v = uint64(word)
		case 'w':
			err = d.Write(uint32(a), uint32(b))
		case 'p':
			for ; a > 0 && err == nil && ctx.Err() == nil; a -= min(a, 1<<16) {
				err = d.Pass(min(a, 1<<16))
			}
		case 'i':
			if d.Interrupt() {
				v = 1
			}
		case 'c':
			v = uint64(d.Cycles())
		case 'e':
			err = d.endRun()
		}
		if err != nil {
			p.put('X')
			_ = p.w.Flush()
			return d.Close(err), nil
		}
		p.put('V', v)
		if message[0] == 'e' {
			_ = p.w.Flush()
			return d.Close(nil), nil
		}
	}
}
